"use client";

import { createContext } from "react";

/**
 * When the server rendered the page, in Unix milliseconds: what "now" is until the browser has taken the page over.
 * Both then write the same words, and nothing moves. Null in a page without it, where the clock says what "now" is.
 */
export const RenderedAtContext = createContext<number | null>(null);
