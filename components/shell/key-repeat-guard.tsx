"use client";

import { useEffect } from "react";
import { holdKeyRepeats } from "./hold-key-repeats";

export function KeyRepeatGuard() {
  useEffect(holdKeyRepeats, []);
  return null;
}
