"use client";

import { useEffect } from "react";
import { suppressKeyRepeats } from "./suppress-key-repeats";

export function KeyRepeatGuard() {
  useEffect(suppressKeyRepeats, []);
  return null;
}
