import { readdirSync } from "node:fs";

/** The addresses of the console's screens that need no id. */
export function listScreens(): string[] {
  return readdirSync("app/(console)", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("page.tsx") && !file.includes("-page.tsx"))
    .map((file) => file.split("/").slice(0, -1))
    .filter((folders) => !folders.some((folder) => folder.startsWith("[")))
    .map((folders) => `/${folders.filter((folder) => !folder.startsWith("(")).join("/")}`);
}
