import {
  Boxes,
  Calculator,
  Folder,
  Gauge,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  MessageSquareText,
  ScrollText,
  ShieldCheck,
  UserRound,
  Users,
  Wallet,
} from "lucide-react";
import type { Permission } from "@/lib/contract/permissions";
import type { HeldPermissions } from "./shell-data";

export type Screen = {
  href: string;
  label: string;
  icon: LucideIcon;
  /** One of these permissions is needed to see anything on it; the usual one comes first. */
  permissions?: readonly Permission[];
  /** What the screen is for, after "You don't have the permission to". */
  purpose?: string;
  /** Where the permission must be held. What is held in the organization is held in its projects too. */
  place?: keyof HeldPermissions;
  /** What stands below it may be one's own, which takes no permission. */
  hasOwnBelow?: true;
};
export type NavigationSection = { label?: string; screens: readonly Screen[] };

/** Every screen of the console, by who uses it. The sidebar, the breadcrumb and the command palette read this. */
export const navigation: readonly NavigationSection[] = [
  { screens: [{ href: "/", label: "Overview", icon: LayoutDashboard }] },
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
        hasOwnBelow: true,
      },
    ],
  },
  {
    label: "Control",
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
        href: "/roles",
        label: "Roles",
        icon: ShieldCheck,
        permissions: ["api.roles.read"],
        purpose: "see the roles",
        place: "organization",
      },
      {
        href: "/members",
        label: "Members",
        icon: Users,
        permissions: ["api.users.read"],
        purpose: "see the members",
        place: "organization",
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
        href: "/projects",
        label: "Projects",
        icon: Folder,
        permissions: ["api.projects.read"],
        purpose: "see the projects",
        place: "project",
      },
    ],
  },
  {
    label: "Money",
    screens: [
      {
        href: "/balance",
        label: "Balance",
        icon: Wallet,
        permissions: ["api.balance.read", "api.ledger.read"],
        purpose: "see the balance",
        place: "organization",
      },
      { href: "/calculator", label: "Calculator", icon: Calculator },
      {
        href: "/models",
        label: "Models and rates",
        icon: Boxes,
        permissions: ["api.models.read"],
        purpose: "see the models",
        place: "project",
      },
    ],
  },
  {
    label: "Try",
    screens: [
      {
        href: "/playground",
        label: "Playground",
        icon: MessageSquareText,
        permissions: ["api.playground.write"],
        purpose: "send prompts",
        place: "project",
      },
    ],
  },
];

/** In the person's menu rather than in the sidebar. */
export const accountScreen: Screen = { href: "/account", label: "Account", icon: UserRound };

/** Whether somebody lacks the permission that a screen needs. */
export function isLocked({ permissions, place = "organization" }: Screen, held: HeldPermissions): boolean {
  return permissions !== undefined && !permissions.some((permission) => held[place].includes(permission));
}

/** The screen an address belongs to, with its section. */
export function findScreen(pathname: string): { section: NavigationSection; screen: Screen } | undefined {
  for (const section of [...navigation, { screens: [accountScreen] }]) {
    const screen = section.screens.find(
      ({ href }) => pathname === href || (href !== "/" && pathname.startsWith(`${href}/`)),
    );
    if (screen) return { section, screen };
  }
  return undefined;
}
