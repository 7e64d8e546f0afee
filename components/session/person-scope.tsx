"use client";

import { useEffect } from "react";
import { followPerson } from "./page-person";

/** Ties the page to the person it was made for; null if the gateway doesn't say who that is. */
export function PersonScope({ person }: { person: string | null }) {
  useEffect(() => (person === null ? undefined : followPerson(person)), [person]);
  return null;
}
