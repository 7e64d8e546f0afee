import { listFiles } from "@/lib/dev/list-files";

/** The paths of all pages without parameters, starting with sign-in and the landing page. */
export async function listScreens(): Promise<string[]> {
  const pages = (await listFiles()).filter((path) => /^app\/(.+\/)?page\.tsx$/.test(path));
  const urls = pages
    .map((path) => path.slice("app".length, -"/page.tsx".length))
    .map((path) => path.replace(/\/\([a-z-]+\)/g, "") || "/")
    .filter((url) => !url.includes("["));
  const first = ["/sign-in", "/"];
  return [
    ...first.filter((url) => urls.includes(url)),
    ...urls.filter((url) => !first.includes(url)).toSorted(),
  ];
}
