import { classNames } from "@/components/ui/class-names";

/** The logo: a gatehouse with battlements and an open arch, in the current text color. */
function Mark({ className = "size-5" }: { className?: string }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden className={className} fill="currentColor">
      <path d="M1.5 1.5h4.2v3h2.2v-3h4.2v3h2.2v-3h4.2v17h-5.3v-4.7a3.2 3.2 0 0 0-6.4 0v4.7H1.5z" />
    </svg>
  );
}

export function Wordmark() {
  return (
    <span className="inline-flex items-center gap-2 text-lg font-semibold tracking-tight">
      <Mark className="size-5 text-accent" />
      Gatehouse
    </span>
  );
}

/** The organization's logo; Gatehouse's without one. Its name stands beside it. */
export function OrganizationMark({
  logo,
  className = "size-[17px]",
}: {
  logo: string | null;
  className?: string;
}) {
  if (logo === null) return <Mark className={classNames(className, "shrink-0 text-accent")} />;
  // oxlint-disable-next-line nextjs/no-img-element -- A data URL of a few kilobytes has nothing to optimize.
  return <img src={logo} alt="" className={classNames(className, "shrink-0 rounded-sm object-contain")} />;
}
