import "server-only";
import { cookies } from "next/headers";
import { isHttps } from "./is-https";

const PROJECT_COOKIE = "gatehouse_project";
const ONE_YEAR_S = 31_536_000;

/**
 * The project chosen in the shell, or `EVERY_PROJECT`; null if nothing was chosen. It may no longer exist; the gateway
 * checks.
 */
export async function readChosenProjectId(): Promise<string | null> {
  return (await cookies()).get(PROJECT_COOKIE)?.value ?? null;
}

/** Remembers the project chosen in the shell. Call it only in a server action. */
export async function chooseProjectId(projectId: string): Promise<void> {
  (await cookies()).set(PROJECT_COOKIE, projectId, {
    httpOnly: true,
    sameSite: "lax",
    secure: await isHttps(),
    path: "/",
    maxAge: ONE_YEAR_S,
  });
}
