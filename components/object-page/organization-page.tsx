import type { ReactNode } from "react";
import { Page } from "@/components/ui/page";
import { findGatewaySupport } from "@/lib/console/sign-in/read-sign-in-methods";
import { requireSession } from "@/lib/console/sign-in/session";
import { type Unsupported, UnsupportedPage } from "./unsupported-page";

type OrganizationPageProps = Unsupported & {
  /** Set for a workbench that reaches from edge to edge. */
  isWide?: boolean;
  children: () => ReactNode | Promise<ReactNode>;
};

/** A page of the organization, for gateways that have all operations. */
export async function OrganizationPage({ isWide = false, children, ...unsupported }: OrganizationPageProps) {
  if (findGatewaySupport(await requireSession()) === "specification")
    return <UnsupportedPage {...unsupported} />;
  const screen = await children();
  return isWide ? screen : <Page>{screen}</Page>;
}
