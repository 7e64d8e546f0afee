import type { ReactNode } from "react";
import { ApiNamesScope } from "@/components/ui/api-name";
import { PersonScope } from "../session/person-scope";
import { LeaveGuard } from "../ui/dialog/leave-guard";
import { DraftScope } from "../ui/drafts/draft-scope";
import { HeldPermissionsScope } from "./held-permissions";
import { NavigationKeys } from "./navigation/navigation-keys";
import { ScreenFrame, ScreenGate } from "./navigation/screen-frame";
import { ScreenTabs } from "./navigation/screen-tabs";
import { Sidebar } from "./navigation/sidebar";
import { SidebarSheet } from "./navigation/sidebar-sheet";
import { CommandLauncher } from "./palette/command-launcher";
import { captureTyping, isPaletteShortcut } from "./palette/palette-shortcut";
import { PrintFooter, ShownLook } from "./print-footer";
import { ShellProjects } from "./project/shell-projects";
import type { ShellActions, ShellData } from "./shell-data";
import { KeyRepeatGuard, ShortcutHelp } from "./shortcut-help";
import { Breadcrumb } from "./top-bar/breadcrumb";
import { EnvironmentBadge } from "./top-bar/environment-badge";
import { PersonMenu, ThemeMenu } from "./top-bar/person-menu";

type AppShellProps = ShellData & ShellActions & { nonce: string | undefined; children: ReactNode };

/** The frame of every screen after sign-in: sidebar, top bar, and the screen as the main landmark. */
export function AppShell({ nonce, children, ...shell }: AppShellProps) {
  return (
    <ShellProjects projects={shell.projects} lastProject={shell.lastProject}>
      <ShownLook look={shell.look} />
      {shell.banner}
      <div className="lg:grid lg:grid-cols-[208px_minmax(0,1fr)] print:block">
        <script
          nonce={nonce}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: earlyPaletteScript }}
        />
        <a
          href="#main"
          className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-2 font-medium text-accent-foreground focus:translate-y-0 print:hidden"
        >
          Skip to content
        </a>
        <aside className="sticky top-(--view-bar) h-[calc(100dvh-var(--view-bar))] border-r bg-sidebar max-lg:hidden print:hidden">
          <Sidebar {...shell} />
        </aside>
        <div className="flex min-h-dvh min-w-0 flex-col print:block print:min-h-0">
          <TopBar {...shell} />
          <ScreenTabs permissions={shell.permissions} />
          <main id="main" tabIndex={-1} className="flex-1 outline-none">
            <DraftScope person={shell.person.id}>
              <HeldPermissionsScope permissions={shell.permissions}>
                <ScreenGate permissions={shell.permissions}>
                  <ApiNamesScope isOn={shell.apiNames}>
                    <ScreenFrame>{children}</ScreenFrame>
                  </ApiNamesScope>
                </ScreenGate>
              </HeldPermissionsScope>
            </DraftScope>
          </main>
        </div>
        <PrintFooter organization={shell.organizationName} />
        <PersonScope person={shell.person.hasAccount ? `${shell.person.id}${shell.viewName ?? ""}` : null} />
        <LeaveGuard />
        <KeyRepeatGuard />
        <NavigationKeys permissions={shell.permissions} />
        <ShortcutHelp />
      </div>
    </ShellProjects>
  );
}

/** Breadcrumb, search, environment, theme and person. */
function TopBar(shell: ShellData & ShellActions) {
  const { signOut, environment, person, apiNames } = shell;
  return (
    <header className="sticky top-(--view-bar) z-20 flex h-12 items-center gap-2 border-b bg-background px-2 sm:px-4 lg:px-6 print:hidden">
      <SidebarSheet {...shell} />
      <Breadcrumb {...shell} />
      <div className="flex shrink-0 items-center gap-1 sm:gap-2">
        <EnvironmentBadge environment={environment} className="max-md:hidden" />
        <CommandLauncher
          projects={shell.projects ?? []}
          permissions={shell.permissions}
          findObjects={shell.findObjects}
          signOut={signOut}
        />
        <ThemeMenu />
        <PersonMenu person={person} apiNames={apiNames} signOut={signOut} />
      </div>
    </header>
  );
}

/** Runs as an inline script, where nothing of this module exists. So it gets what it needs as arguments. */
function awaitEarlyPalette(isShortcut: typeof isPaletteShortcut, capture: typeof captureTyping): void {
  let keyCapture: ReturnType<typeof captureTyping> | null = null;
  function end() {
    const typedKeys = keyCapture?.release() ?? null;
    keyCapture = null;
    return typedKeys;
  }
  function begin() {
    keyCapture ??= capture(end);
  }
  function beginByKey(event: KeyboardEvent) {
    if (!isShortcut(event)) return;
    event.preventDefault();
    begin();
  }
  function beginByClick({ target }: MouseEvent) {
    if (target instanceof Element && target.closest("[data-opens=palette]")) begin();
  }
  document.addEventListener("keydown", beginByKey);
  document.addEventListener("click", beginByClick);
  window.takeEarlyPalette = () => {
    document.removeEventListener("keydown", beginByKey);
    document.removeEventListener("click", beginByClick);
    delete window.takeEarlyPalette;
    return end();
  };
}

/** A script that holds Ctrl/Cmd K, a click on the launcher, and the keys that follow, until the launcher has loaded. */
const earlyPaletteScript = `(${awaitEarlyPalette})(${isPaletteShortcut}, ${captureTyping})`;
