import { adminApi } from "../clients/admin-api";
import type { Gatehouse } from "../programs/start-gatehouse";
import type { ScreenForm } from "./screen-form";

/** The forms of keys. */
export const keyForms: Readonly<Record<string, ScreenForm>> = {
  "new key": {
    file: "app/(console)/keys/key-dialogs.tsx CreateKeyDialog",
    path: "/keys",
    button: "Create key",
    field: "Name",
    input: "typed",
    discardTitle: /^Discard the new key\?$/,
  },
  "key name": {
    file: "app/(console)/keys/key-dialogs.tsx RenameKey",
    path: "/keys",
    createPage: makeKey,
    button: "Rename key “Production”",
    field: "Name",
    input: "Typed",
    saved: "Production",
    discardTitle: /^Discard 1 unsaved change\?$/,
  },
  "key scope": {
    file: "app/(console)/keys/key-dialogs.tsx KeyScopeDialog",
    path: "/keys",
    createPage: makeKey,
    button: "More for key “Production”",
    entry: "Limit to models and endpoints",
    field: "Allowed endpoints",
    input: "embeddings",
    discardTitle: /^Discard 1 unsaved change\?$/,
  },
  "key rotation": {
    file: "app/(console)/keys/key-dialogs.tsx RotateKeyDialog",
    path: "/keys",
    createPage: makeKey,
    button: "More for key “Production”",
    entry: "Rotate",
    field: "The old key still works for",
    input: "3600",
    saved: "86400",
    discardTitle: /^Discard the rotation\?$/,
  },
};

async function makeKey(gatehouse: Gatehouse, projectId: string): Promise<string> {
  await adminApi(gatehouse).createKey(projectId, "Production");
  return "/keys";
}
