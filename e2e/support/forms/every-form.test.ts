import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { listFiles } from "@/lib/dev/list-files";
import { everyForm } from "./every-form";

/** Files with a form that `everyForm` leaves out, by the reason. */
const leftOut = {
  "nothing but secrets is typed in it, which no draft keeps": [
    "app/(console)/account/two-factor/code-step.tsx",
    "app/(console)/account/password-question.tsx",
    "app/(console)/account/password-section.tsx",
    "app/(console)/keys/find-key-dialog.tsx",
    "app/(console)/providers/provider-keys-dialog.tsx",
  ],
  "it saves nothing, so that it is left without a question": ["app/(console)/tasks/test-callback-form.tsx"],
  "its page is shown only for a gateway that can't list projects": [
    "app/(console)/rate-limits/typed-rate-limit-form.tsx",
  ],
  "its dialog is opened from a conversation, whose own tests cover it": [
    "app/(console)/playground/conversations/rename-dialog.tsx",
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
  const sources = await Promise.all(files.map((path) => readFile(path, "utf8")));
  const withForm = files.filter((_, index) => /<(?:Form|FormDialog)\b/.test(sources[index] ?? ""));
  const tested = Object.values(everyForm).map(({ file }) => file);
  expect([...new Set(tested), ...Object.values(leftOut).flat()].toSorted()).toEqual(withForm);
});
