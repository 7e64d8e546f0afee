import {
  BadgeDollarSign,
  Banknote,
  BookText,
  Boxes,
  Calculator,
  ChartColumn,
  CircleUserRound,
  Clapperboard,
  Files,
  FileText,
  Folder,
  Gauge,
  HeartPulse,
  History,
  KeyRound,
  KeySquare,
  LayoutDashboard,
  type LucideIcon,
  MessageSquareText,
  Rows4,
  Scale,
  ScrollText,
  ShieldCheck,
  UserRound,
  UsersRound,
  Wallet,
} from "lucide-react";
import type { Permission } from "@/lib/contract/permissions";
import type { HeldPermissions } from "./shell-data";

export type Screen = {
  href: string;
  label: string;
  icon: LucideIcon;
  /** The screen needs one of these permissions. The most common one comes first. */
  permissions?: readonly Permission[];
  /** Completes "You don't have the permission to …". */
  purpose?: string;
  /** Where the permission is needed. Organization permissions apply to every project too. */
  place?: keyof HeldPermissions;
  /**
   * Don't lock the screen's subpages here: the gateway decides, since they may show the person's own objects or another project.
   */
  decidesBelow?: true;
};
export type NavigationSection = { label?: string; screens: readonly Screen[] };

/** All screens of the console, by section. Used by the sidebar, the breadcrumb and the command palette. */
export const navigation: readonly NavigationSection[] = [
  {
    screens: [
      { href: "/", label: "Overview", icon: LayoutDashboard },
      {
        href: "/playground",
        label: "Playground",
        icon: MessageSquareText,
        permissions: ["api.playground.write"],
        purpose: "send prompts",
        place: "project",
      },
      {
        href: "/prompts",
        label: "Prompts",
        icon: BookText,
        permissions: ["api.prompts.read"],
        purpose: "see the prompts",
        place: "project",
      },
    ],
  },
  {
    label: "Activity",
    screens: [
      {
        href: "/requests",
        label: "Requests",
        icon: ScrollText,
        permissions: ["api.requests.read"],
        purpose: "see the calls",
        place: "project",
        decidesBelow: true,
      },
      { href: "/usage", label: "Usage", icon: ChartColumn },
      {
        href: "/tasks",
        label: "Tasks",
        icon: Clapperboard,
        permissions: ["api.tasks.read"],
        purpose: "see the tasks",
        place: "project",
        decidesBelow: true,
      },
      {
        href: "/batches",
        label: "Batches",
        icon: Rows4,
        permissions: ["api.batches.read"],
        purpose: "see the batches",
        place: "project",
        decidesBelow: true,
      },
      {
        href: "/files",
        label: "Files",
        icon: Files,
        permissions: ["api.files.read"],
        purpose: "see the files",
        place: "project",
      },
      {
        href: "/audit-logs",
        label: "Audit log",
        icon: History,
        permissions: ["api.audit_logs.read"],
        purpose: "see who changed what",
        place: "organization",
      },
    ],
  },
  {
    label: "Access",
    screens: [
      {
        href: "/projects",
        label: "Projects",
        icon: Folder,
        permissions: ["api.projects.read"],
        purpose: "see the projects",
        place: "project",
        decidesBelow: true,
      },
      {
        href: "/keys",
        label: "Keys",
        icon: KeyRound,
        permissions: ["api.project_api_keys.read"],
        purpose: "see the keys",
        place: "project",
      },
      {
        href: "/admin-keys",
        label: "Admin keys",
        icon: KeySquare,
        permissions: ["api.admin_api_keys.read"],
        purpose: "see the admin keys",
        place: "organization",
      },
      {
        href: "/members",
        label: "Members",
        icon: UserRound,
        permissions: ["api.users.read"],
        purpose: "see the members",
        place: "organization",
      },
      {
        href: "/groups",
        label: "Groups",
        icon: UsersRound,
        permissions: ["api.groups.read"],
        purpose: "see the groups",
        place: "organization",
      },
      {
        href: "/roles",
        label: "Roles",
        icon: ShieldCheck,
        permissions: ["api.roles.read"],
        purpose: "see the roles",
        place: "organization",
      },
    ],
  },
  {
    label: "Limits and models",
    screens: [
      {
        href: "/rate-limits",
        label: "Rate limits",
        icon: Gauge,
        permissions: ["api.rate_limits.read"],
        purpose: "see the rate limits",
        place: "project",
      },
      {
        href: "/models",
        label: "Models and rates",
        icon: Boxes,
        permissions: ["api.models.read"],
        purpose: "see the models",
        place: "project",
      },
      {
        href: "/health",
        label: "Health",
        icon: HeartPulse,
        permissions: ["api.providers.read"],
        purpose: "see how providers answer",
        place: "organization",
      },
    ],
  },
  {
    label: "Billing",
    screens: [
      {
        href: "/balance",
        label: "Balance",
        icon: Wallet,
        permissions: ["api.balance.read", "api.ledger.read"],
        purpose: "see the balance",
        place: "organization",
      },
      {
        href: "/payments",
        label: "Payments",
        icon: Banknote,
        permissions: ["api.ledger.read"],
        purpose: "see the payments that need approval",
        place: "organization",
      },
      {
        href: "/statements",
        label: "Statements",
        icon: FileText,
        permissions: ["api.ledger.read"],
        purpose: "see the statements",
        place: "organization",
      },
      {
        href: "/reconcile",
        label: "Reconcile",
        icon: Scale,
        permissions: ["api.ledger.read"],
        purpose: "prove the books",
        place: "organization",
      },
      { href: "/calculator", label: "Calculator", icon: Calculator },
      {
        href: "/spend-limits",
        label: "Spend limits",
        icon: BadgeDollarSign,
        permissions: ["api.spend_limits.read", "api.spend_alerts.read"],
        purpose: "see the spend limits",
        place: "organization",
      },
    ],
  },
];

/** Linked from the person's menu, not from the sidebar. */
export const accountScreen: Screen = { href: "/account", label: "Account", icon: CircleUserRound };

/** Returns true if the person lacks the permissions of the screen. */
export function isLocked({ permissions, place = "organization" }: Screen, held: HeldPermissions): boolean {
  return permissions !== undefined && !permissions.some((permission) => held[place].includes(permission));
}
