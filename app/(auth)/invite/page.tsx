import type { Metadata } from "next";
import { readGateway } from "@/lib/console/reads/read-gateway";
import { Invitation } from "./invitation";

export const metadata: Metadata = { title: "Invitation" };

export default async function InvitePage() {
  const me = await readGateway("retrieveMe");
  return <Invitation signedInAs={me.ok ? (me.data.user?.email ?? me.data.name) : null} />;
}
