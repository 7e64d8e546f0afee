"use client";

/** Returns 32 random bits a word, as hexadecimal digits. `crypto.randomUUID` is missing on plain http. */
export function createRandomId(words: number): string {
  const parts = crypto.getRandomValues(new Uint32Array(words));
  return Array.from(parts, (part) => part.toString(16).padStart(8, "0")).join("");
}
