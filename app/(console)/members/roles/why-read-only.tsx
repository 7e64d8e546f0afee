import { Notice } from "@/components/ui/notice";

type WhyReadOnlyProps = {
  /** A name, or "yourself". */
  whom: string;
  /** A permission of the member that the person lacks; null if the person can't change any member. */
  excess: string | null;
};

/** Explains why a member's page is read-only. */
export function WhyReadOnly({ whom, excess }: WhyReadOnlyProps) {
  return (
    <Notice title={`You can’t change ${whom}`}>
      {excess ? (
        <>
          They hold <code className="font-mono text-xs text-foreground">{excess}</code>, which you don’t hold.
          Only somebody with at least the same permissions can change them.
        </>
      ) : (
        <>
          You need the permission <code className="font-mono text-xs text-foreground">api.users.write</code>.
          Ask someone with the Owner or Admin role to add it to one of your roles.
        </>
      )}
    </Notice>
  );
}
