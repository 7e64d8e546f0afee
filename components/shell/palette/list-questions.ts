import { CircleHelp } from "lucide-react";
import { paths } from "@/lib/console/paths";
import { permissionCatalogue } from "@/lib/contract/access/permissions";
import { confirmLeave } from "../../ui/dialog/unsaved";
import { beginsWords, listAskedWords } from "../../ui/search/match-words";
import type { ShellPermissions } from "../shell-data";
import type { Command } from "./commands";

/** How many answers a question gets. */
const MAX_ANSWERS = 6;

/** The permissions that a question such as "who can rotate keys" is about: each leads to who holds it. */
export function listQuestions(
  search: string,
  held: ShellPermissions | undefined,
  goTo: (href: string) => void,
): Command[] {
  const mayAsk = !held || held.organization.includes("api.role_assignments.read");
  const asked = listAskedWords(search);
  if (!mayAsk || !/^\s*who\b/i.test(search) || asked === "") return [];
  return Object.entries(permissionCatalogue)
    .filter(([name, sentence]) => asked === "who" || beginsWords(`${name} ${sentence}`, asked))
    .slice(0, MAX_ANSWERS)
    .map(([permission, sentence]) => ({
      id: `who-can-${permission}`,
      label: `Who can: ${sentence}`,
      kind: "Question",
      icon: CircleHelp,
      run: () => confirmLeave(() => goTo(paths.whoCan({ permission }))),
    }));
}
