import type { ReactNode } from "react";
import { AppShell } from "@/components/shell/app-shell";
import type { ShellActions, ShellData } from "@/components/shell/shell-data";

const shell: ShellData = {
  organizationName: "Gatehouse",
  projects: undefined,
  currentProjectId: undefined,
  person: { name: "Signed in" },
  permissions: undefined,
  environment: { kind: "embedded", address: "http://127.0.0.1:8080/v1", sandboxOnly: false },
};

async function selectProject() {
  "use server";
}

async function signOut() {
  "use server";
}

const actions: ShellActions = { selectProject, signOut };

export default function ConsoleLayout({ children }: { children: ReactNode }) {
  return (
    <AppShell {...shell} {...actions}>
      {children}
    </AppShell>
  );
}
