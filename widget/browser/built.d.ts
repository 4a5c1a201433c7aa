// Written by the build: the folder of the browser's Python, from the root of the site, and the bytes of each file
// that is fetched, by the name that the worker knows it by.
export const RUNTIME: string;
export const SIZES: Record<string, number>;
