import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { listFiles } from "@/lib/dev/list-files";
import { everyForm } from "./every-form";

/** Files with a form that `everyForm` leaves out, by the reason. */
const leftOut = {
  "nothing but secrets is typed in it, which no draft keeps": [
    "app/(console)/account/two-factor/turn-on-two-factor.tsx",
    "app/(console)/account/sign-in-questions.tsx",
    "app/(console)/account/sign-in-sections.tsx",
    "app/(console)/keys/find-key-dialog.tsx",
    "app/(console)/providers/provider-dialogs.tsx ProviderKeysDialog",
  ],
  "it saves nothing, so that it is left without a question": [
    "app/(console)/tasks/callback-secret-dialog.tsx",
  ],
  "its page is shown only for a gateway that can't list projects": [
    "app/(console)/rate-limits/typed-rate-limit-form.tsx",
  ],
  "its dialog is opened from a conversation, whose own tests cover it": [
    "app/(console)/playground/conversations/conversations-dialog.tsx",
    "app/(console)/playground/conversations/save-prompt-dialog.tsx",
  ],
  "its role is chosen, and nothing is typed": [
    "components/roles/change-role-dialog.tsx",
    "components/roles/give-role-dialog.tsx",
  ],
  "it needs a payment that waits, and so the approval whose form is tested unset": [
    "app/(console)/balance/payments/decline-dialog.tsx",
  ],
  "its projects are selected first, in a table whose own test sets limits": [
    "components/money/many-limits-dialog.tsx",
  ],
  "its dialog is opened from that of all plans, whose own test names plans": [
    "app/(console)/rate-limits/grid/plans-dialog.tsx",
  ],
  "it is the dialog around other forms": ["components/ui/form/form-dialog.tsx"],
};

test("every form of the console is tested as one, or is known not to be", async () => {
  const files = (await listFiles()).filter((path) => /^(app|components)\/.*\.tsx$/.test(path));
  const forms = await Promise.all(files.map(async (path) => listForms(path, await readFile(path, "utf8"))));
  const tested = Object.values(everyForm).map(({ file }) => file);
  expect([...new Set(tested), ...Object.values(leftOut).flat()].toSorted()).toEqual(forms.flat().toSorted());
});

/** The file if it has one form; of several, each with the component that shows it: "keys/key-dialogs.tsx RenameKey". */
function listForms(path: string, source: string): string[] {
  const shownBy = source
    .split(/^(?:export )?function /m)
    .filter((part) => /<(?:Form|FormDialog)\b/.test(part))
    .map((part) => /^\w+/.exec(part)?.[0]);
  return shownBy.length > 1 ? shownBy.map((component) => `${path} ${component}`) : shownBy.map(() => path);
}
