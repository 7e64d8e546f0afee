import { TabLinks } from "@/components/ui/links/tab-links";
import { paths } from "@/lib/console/paths";

const tabs = [
  { id: "changes", label: "Changes", href: paths.auditLogs() },
  { id: "refused", label: "Refused access", href: paths.accessRefusals() },
] as const;

/** Tabs for changes and for refused access. */
export function AuditLogTabs({ current }: { current: (typeof tabs)[number]["id"] }) {
  return <TabLinks label="Audit log" tabs={tabs} current={current} />;
}
