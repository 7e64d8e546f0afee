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
  return <img src={logo} alt="" className={classNames(className, "shrink-0 rounded-sm object-contain")} />;
}
