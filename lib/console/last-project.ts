import "server-only";
import { cookies } from "next/headers";
import { LAST_PROJECT_COOKIE } from "./note-last-project";

/**
 * The project whose screens the person opened last, or `EVERY_PROJECT`; null if none. It may no longer exist; the
 * gateway checks.
 */
export async function readLastProjectId(): Promise<string | null> {
  return (await cookies()).get(LAST_PROJECT_COOKIE)?.value ?? null;
}
