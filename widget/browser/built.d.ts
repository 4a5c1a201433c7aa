// Written by the build: the folder of the browser's Python, from the root of the site, and of each file that is
// fetched the bytes and the SHA-256, by the name that the worker knows it by.
export const RUNTIME: string;
export const FILES: Record<string, { size: number; digest: string }>;
