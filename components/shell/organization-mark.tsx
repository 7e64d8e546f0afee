import { classNames } from "../ui/class-names";
import { Mark } from "./logo";

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
