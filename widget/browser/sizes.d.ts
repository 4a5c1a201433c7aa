// Written by the build: the bytes of each file that going live takes, by the name that the worker knows it by.
export const SIZES: Record<string, number>;
