import {
  Boxes,
  ChartColumn,
  CircleUserRound,
  Folder,
  Gauge,
  KeyRound,
  LayoutDashboard,
  MessageSquareText,
  ScrollText,
  Settings,
  UsersRound,
  Wallet,
} from "lucide-react";
import { EVERY_PROJECT } from "@/lib/console/every-project";
import { paths } from "@/lib/console/paths";
import type { Entry, Screen } from "./screen";

const playgroundScreens: readonly Screen[] = [
  {
    address: paths.playground,
    alsoAt: [paths.playground()],
    label: "Chat",
    permissions: ["api.playground.write"],
    purpose: "send prompts",
    scope: "project",
    shows: "one project",
    keywords: "playground try send message",
  },
  {
    address: paths.prompts,
    alsoAt: [paths.prompts()],
    label: "Prompts",
    permissions: ["api.prompts.read"],
    purpose: "see the prompts",
    scope: "project",
    shows: "one project",
    keywords: "cases versions runs",
  },
];

const activityScreens: readonly Screen[] = [
  {
    address: () => paths.requests(),
    label: "Requests",
    permissions: ["api.requests.read"],
    purpose: "see the calls",
    scope: "project",
    decidesBelow: true,
    keywords: "calls refusals receipts log",
  },
  {
    address: paths.tasks,
    alsoAt: [paths.tasks()],
    label: "Tasks",
    // Whoever uses the playground sees their own tasks.
    permissions: ["api.tasks.read", "api.playground.write"],
    purpose: "see the tasks",
    scope: "project",
    shows: "any projects",
    decidesBelow: true,
    keywords: "images videos music",
  },
  {
    address: paths.batches,
    alsoAt: [paths.batches()],
    label: "Batches",
    permissions: ["api.batches.read"],
    purpose: "see the batches",
    scope: "project",
    shows: "any projects",
    decidesBelow: true,
  },
  {
    address: paths.files,
    alsoAt: [paths.files()],
    label: "Files",
    permissions: ["api.files.read"],
    purpose: "see the files",
    scope: "project",
    shows: "any projects",
  },
];

const keyScreens: readonly Screen[] = [
  {
    address: paths.keys,
    alsoAt: [paths.keys()],
    label: "Project keys",
    permissions: ["api.project_api_keys.read"],
    purpose: "see the keys",
    scope: "project",
    shows: "one project",
    keywords: "api keys",
  },
  {
    address: () => paths.adminKeys(),
    label: "Admin keys",
    permissions: ["api.admin_api_keys.read"],
    purpose: "see the admin keys",
  },
];

const peopleScreens: readonly Screen[] = [
  {
    address: () => paths.members(),
    label: "Members",
    permissions: ["api.users.read"],
    purpose: "see the members",
    keywords: "users invitations invites",
  },
  {
    address: () => paths.groups(),
    label: "Groups",
    permissions: ["api.groups.read"],
    purpose: "see the groups",
    keywords: "teams",
  },
  {
    address: () => paths.roles(),
    alsoAt: [paths.roles(EVERY_PROJECT)],
    shows: "any projects",
    label: "Roles",
    permissions: ["api.roles.read"],
    purpose: "see the roles",
    keywords: "permissions",
  },
  {
    address: () => paths.directory(),
    label: "Directory",
    permissions: ["api.admin_api_keys.read"],
    purpose: "connect a directory",
    keywords: "scim okta entra provisioning deactivated people",
  },
];

const modelScreens: readonly Screen[] = [
  {
    address: () => paths.models(),
    label: "Models",
    permissions: ["api.models.read"],
    purpose: "see the models",
    scope: "project",
    keywords: "models and rates prices",
  },
  {
    address: () => paths.providers(),
    label: "Providers",
    permissions: ["api.providers.read"],
    purpose: "see the providers",
  },
  {
    address: () => paths.routes(),
    label: "Routes",
    permissions: ["api.providers.read"],
    purpose: "see the routes",
    keywords: "fallbacks failover weights canary",
  },
  {
    address: () => paths.health(),
    label: "Health",
    permissions: ["api.providers.read"],
    purpose: "see the health of providers",
    keywords: "circuits",
  },
];

const limitScreens: readonly Screen[] = [
  {
    address: paths.rateLimits,
    alsoAt: [paths.rateLimits()],
    sameBelow: true,
    label: "Rate limits",
    permissions: ["api.rate_limits.read"],
    purpose: "see the rate limits",
    scope: "project",
    shows: "any projects",
    keywords: "set limit requests per minute tokens per minute",
  },
  {
    address: () => paths.spendLimits(),
    alsoAt: [paths.spendLimits(EVERY_PROJECT)],
    shows: "any projects",
    label: "Spend limits",
    permissions: ["api.spend_limits.read", "api.spend_alerts.read"],
    purpose: "see the spend limits",
    scope: "project",
    keywords: "set limit budget spend alerts",
  },
];

/** Who looks after money is offered the calculator; everybody may open it. */
const billingScreens: readonly Screen[] = [
  {
    address: () => paths.balance(),
    alsoAt: [paths.formerPayments()],
    label: "Balance",
    permissions: ["api.balance.read", "api.ledger.read"],
    purpose: "see the balance",
    keywords: "payments approvals ledger",
  },
  {
    address: () => paths.statements(),
    alsoAt: [paths.reconcile()],
    label: "Statements",
    permissions: ["api.ledger.read"],
    purpose: "see the statements",
    keywords: "compare an invoice reconcile check the books months",
  },
  {
    address: () => paths.calculator(),
    label: "Calculator",
    offeredFor: ["api.balance.read", "api.ledger.read", "api.usage.read"],
    keywords: "costs estimate",
  },
];

const settingsScreens: readonly Screen[] = [
  {
    address: () => paths.organization(),
    label: "Organization",
    permissions: ["api.organization.write"],
    purpose: "change the organization",
    keywords: "rename name settings",
  },
  {
    address: () => paths.auditLogs(),
    label: "Audit log",
    permissions: ["api.audit_logs.read"],
    purpose: "see the audit log",
    keywords: "history changes events",
  },
  {
    address: () => paths.configuration(),
    label: "Configuration",
    permissions: [
      "api.projects.write",
      "api.rate_limits.write",
      "api.models.write",
      "api.roles.write",
      "api.groups.write",
    ],
    purpose: "plan a configuration",
    keywords: "file yaml export plan apply code import openai as it was history",
  },
];

export const overviewScreen: Screen = { address: paths.overview, label: "Overview" };

const projectScreen: Screen = {
  address: () => paths.projects(),
  label: "Projects",
  permissions: ["api.projects.read"],
  purpose: "see the projects",
  scope: "project",
  // Who knows the names of projects alone has them in the switch.
  offeredFor: [
    "api.projects.write",
    "api.project_users.read",
    "api.project_groups.read",
    "api.project_api_keys.read",
  ],
  decidesBelow: true,
};

/**
 * All entries of the sidebar, in groups, the last at its foot. The order is the same for everybody. Used by the
 * sidebar, the tabs, the breadcrumb and the command palette.
 */
export const navigation: readonly (readonly Entry[])[] = [
  [
    {
      label: "Overview",
      icon: LayoutDashboard,
      letter: "o",
      screens: [overviewScreen],
    },
    { label: "Playground", icon: MessageSquareText, letter: "p", screens: playgroundScreens },
    { label: "Activity", icon: ScrollText, letter: "a", screens: activityScreens },
    {
      label: "Usage",
      icon: ChartColumn,
      letter: "u",
      screens: [{ address: () => paths.usage(), label: "Usage", keywords: "spend costs tokens charts" }],
    },
  ],
  [
    { label: "Projects", icon: Folder, letter: "j", screens: [projectScreen] },
    { label: "Keys", icon: KeyRound, letter: "k", screens: keyScreens },
    { label: "People", icon: UsersRound, letter: "e", screens: peopleScreens },
  ],
  [
    { label: "Models", icon: Boxes, letter: "m", screens: modelScreens },
    { label: "Limits", icon: Gauge, letter: "l", screens: limitScreens },
    { label: "Billing", icon: Wallet, letter: "b", screens: billingScreens },
  ],
  [{ label: "Settings", icon: Settings, letter: "s", screens: settingsScreens }],
];

/** Linked from the person's menu, not from the sidebar. */
export const accountEntry: Entry = {
  label: "Account",
  icon: CircleUserRound,
  letter: "",
  screens: [{ address: () => paths.account(), label: "Account", keywords: "password devices two-factor" }],
};
