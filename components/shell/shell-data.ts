import type { ReactNode } from "react";
import type { setOrganizationLook } from "../ui/organization-look";

export type ShellProject = { id: string; name: string };

/** The gateway that answers this console's calls: the one started with it, or a remote one. */
export type Environment = {
  kind: "embedded" | "remote";
  address: string;
  /**
   * True if the built-in sandbox is the only provider: then no answer comes from a real model. No screen waits for it.
   */
  sandboxOnly: Promise<boolean>;
};

/**
 * Permissions in the whole organization, and in the project that the screen shows: in any one for the shell, and on
 * screens of several projects.
 */
export type ShellPermissions = { organization: readonly string[]; project: readonly string[] };

export type ShellData = {
  organizationName: string;
  /** Whether the API's names of fields are shown. */
  apiNames: boolean;
  /** A picture as a data URL; null without a logo. */
  organizationLogo: string | null;
  look: Parameters<typeof setOrganizationLook>[0];
  /** Omitted if the gateway can't list projects. */
  projects: readonly ShellProject[] | undefined;
  /** The project whose screens the person opened last, or `EVERY_PROJECT`: links lead there. */
  lastProject: string | undefined;
  person: {
    /** Stays the same across sign-ins. */
    id: string;
    name: string;
    note?: string | undefined;
    /** True if the gateway identifies the person and so has an account to show. */
    hasAccount: boolean;
  };
  /** The person's permissions; undefined if the gateway doesn't report them. */
  permissions: ShellPermissions | undefined;
  environment: Environment;
  /** Above everything: that the console is viewed as a role. */
  banner?: ReactNode;
  /** Names what the console is viewed as: other tabs that show something else are loaded anew. */
  viewName?: string | undefined;
  /** The number of running tasks, beside the link to them. */
  runningTasks: ReactNode;
};

/** A search result that has its own page. */
export type FoundObject = {
  kind: string;
  id: string;
  label: string;
  href: string;
};

/** `message` says why a search failed; `code` is "unauthenticated" if the session has ended. */
export type FindObjects = (
  text: string,
) => Promise<{ ok: true; data: readonly FoundObject[] } | { ok: false; code?: string; message: string }>;

/** `message` says why an action was refused. */
type ShellReply = { ok: true } | { ok: false; message: string };

export type ShellActions = {
  /** Server action: finds objects that the person can see by name or id. */
  findObjects: FindObjects;
  /** Server action: ends the session and redirects to sign-in. Replies only if that was refused. */
  signOut: () => Promise<ShellReply>;
};
