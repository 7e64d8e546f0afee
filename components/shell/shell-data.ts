export type ShellProject = { id: string; name: string };

/** What answers this console's calls: the gateway started beside it, or one elsewhere. */
export type Environment = {
  kind: "embedded" | "remote";
  address: string;
  /** No provider but the built-in one: nothing that answers is an AI. */
  sandboxOnly: boolean;
};

/** In the whole organization, and in the chosen project. */
export type HeldPermissions = { organization: readonly string[]; project: readonly string[] };

export type ShellData = {
  organizationName: string;
  /** Left out where the gateway can't list projects. */
  projects: readonly ShellProject[] | undefined;
  currentProjectId: string | undefined;
  person: {
    /** The same at every sign-in. */
    id: string;
    name: string;
    note?: string | undefined;
    /** Whether the gateway knows who it is, and so has an account to show. */
    hasAccount: boolean;
  };
  /** What the person may do; left out where the gateway doesn't say. */
  permissions: HeldPermissions | undefined;
  environment: Environment;
};

/** Something that has a page, as a search found it. */
export type FoundObject = { kind: string; id: string; label: string; href: string };

export type ShellActions = {
  /** Finds what has a text in its name or id, among what the person may see: a server action. */
  findObjects: (text: string) => Promise<readonly FoundObject[]>;
  /** Remembers the project and renders the screen anew: a server action. */
  selectProject: (projectId: string) => Promise<void>;
  /** Ends the session and goes to sign-in: a server action. */
  signOut: () => Promise<void>;
};
