import {
  Boxes,
  Calculator,
  Folder,
  Gauge,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  MessageSquareText,
  ShieldCheck,
  UserRound,
  Users,
  Wallet,
} from "lucide-react";
import type { HeldPermissions } from "./shell-data";

export type Screen = {
  href: string;
  label: string;
  icon: LucideIcon;
  /** What one needs to see anything on it. */
  permission?: string;
  /** Where it has to be held; what is held in the organization is held in its projects too. */
  place?: keyof HeldPermissions;
};
export type NavigationSection = { label?: string; screens: readonly Screen[] };

/** Every screen of the console, by who uses it. The sidebar, the breadcrumb and the command palette read this. */
export const navigation: readonly NavigationSection[] = [
  { screens: [{ href: "/", label: "Overview", icon: LayoutDashboard }] },
  {
    label: "Control",
    screens: [
      {
        href: "/rate-limits",
        label: "Rate limits",
        icon: Gauge,
        permission: "api.rate_limits.read",
        place: "project",
      },
      {
        href: "/roles",
        label: "Roles",
        icon: ShieldCheck,
        permission: "api.roles.read",
        place: "organization",
      },
      {
        href: "/members",
        label: "Members",
        icon: Users,
        permission: "api.users.read",
        place: "organization",
      },
      {
        href: "/keys",
        label: "Keys",
        icon: KeyRound,
        permission: "api.project_api_keys.read",
        place: "project",
      },
      {
        href: "/projects",
        label: "Projects",
        icon: Folder,
        permission: "api.projects.read",
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
        permission: "api.balance.read",
        place: "organization",
      },
      { href: "/calculator", label: "Calculator", icon: Calculator },
      {
        href: "/models",
        label: "Models and rates",
        icon: Boxes,
        permission: "api.models.read",
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
        permission: "api.playground.write",
        place: "project",
      },
    ],
  },
];

/** In the person's menu rather than in the sidebar. */
export const accountScreen: Screen = { href: "/account", label: "Account", icon: UserRound };

/** Whether somebody lacks what a screen asks for. */
export function isLocked({ permission, place = "organization" }: Screen, held: HeldPermissions): boolean {
  return permission !== undefined && !held[place].includes(permission);
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
