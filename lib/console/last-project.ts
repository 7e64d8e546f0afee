import "server-only";
import { cookies } from "next/headers";
import type { NextRequest, NextResponse } from "next/server";

/**
 * The project whose screens the person opened last, or `EVERY_PROJECT`; null if none. It may no longer exist; the
 * gateway checks.
 */
export async function readLastProjectId(): Promise<string | null> {
  return (await cookies()).get(LAST_PROJECT_COOKIE)?.value ?? null;
}

/** The project whose screens the person opened last. Its address decides what a screen shows, never this. */
const LAST_PROJECT_COOKIE = "gatehouse_project";
const ONE_YEAR_S = 31_536_000;

const PROJECT_SCREEN =
  /^\/projects\/([\w.-]{1,100})\/(?:playground|prompts|tasks|batches|files|keys|limits)(?:\/|$)/;

/** Remembers the project of a project's screen that is opened, so that other screens lead to it. */
export function noteLastProject(request: NextRequest, response: NextResponse, isHttps: boolean): void {
  const [, project] = PROJECT_SCREEN.exec(request.nextUrl.pathname) ?? [];
  // A prefetch opens nothing yet.
  if (request.method !== "GET" || request.headers.has("next-router-prefetch")) return;
  if (project === undefined || request.cookies.get(LAST_PROJECT_COOKIE)?.value === project) return;
  response.cookies.set(LAST_PROJECT_COOKIE, project, {
    httpOnly: true,
    sameSite: "lax",
    secure: isHttps,
    path: "/",
    maxAge: ONE_YEAR_S,
  });
}
