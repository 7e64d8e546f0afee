import type { ReactNode } from "react";
import { Page } from "@/components/ui/page";
import { findGatewaySupport } from "@/lib/console/sign-in/gateway-support";
import { requireSession } from "@/lib/console/sign-in/session";
import { type Unsupported, UnsupportedPage } from "./unsupported-page";

type OrganizationPageProps = Unsupported & { children: () => ReactNode | Promise<ReactNode> };

/** A page of the organization, for gateways that have all operations. */
export async function OrganizationPage({ children, ...unsupported }: OrganizationPageProps) {
  if (findGatewaySupport(await requireSession()) === "specification")
    return <UnsupportedPage {...unsupported} />;
  return <Page>{await children()}</Page>;
}
