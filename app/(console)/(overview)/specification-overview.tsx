import Link from "next/link";
import { Card } from "@/components/ui/card";
import { Section } from "@/components/ui/section";
import { paths } from "@/lib/console/paths";
import { BaseAddress } from "./base-address";

const screens = [
  {
    href: paths.rateLimits(),
    name: "Set rate limits",
    text: "Type the project and the rate limit, fill in its fields, and see the gateway’s reply.",
  },
  {
    href: paths.roles(),
    name: "Create a role",
    text: "Name it, select its permissions, and see the role that the gateway created.",
  },
  {
    href: paths.playground(),
    name: "Try a prompt",
    text: "Type a model’s name, send a message and watch the answer stream in.",
  },
];

/** The overview for gateways that support only the specification's operations: what the console can do with them. */
export function SpecificationOverview({ baseUrl }: { baseUrl: string }) {
  return (
    <div className="grid gap-8">
      <Section
        title="What this gateway offers"
        description="It supports only the operations of the specification and has no lists, so you type names and ids."
      >
        <ul className="grid gap-4 md:grid-cols-3">
          {screens.map(({ href, name, text }) => (
            <li key={href}>
              <Card className="h-full hover:bg-default-soft">
                <Link href={href} className="stretched rounded-sm font-medium text-accent-text">
                  {name}
                </Link>
                <p className="mt-1 text-sm text-muted">{text}</p>
              </Card>
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Call it from a program">
        <BaseAddress baseUrl={baseUrl} model={null} />
      </Section>
    </div>
  );
}
