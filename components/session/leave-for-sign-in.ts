import { paths } from "@/lib/console/paths";
import { releaseUnsaved } from "../ui/dialog/unsaved";
import { isSigningOut } from "../ui/drafts/drafts";
import { reloadIfReplaced } from "./page-person";

/**
 * Goes to the sign-in screen, which returns to this page. Unsaved input is kept as a draft. If somebody else is signed
 * in by now, loads the page as them.
 */
export function leaveForSignIn(): void {
  const { pathname, search } = window.location;
  if (pathname === paths.signIn() || isSigningOut() || reloadIfReplaced()) return;
  releaseUnsaved();
  window.location.assign(paths.signIn({ next: `${pathname}${search}`, reason: "ended" }));
}
