import { Notice } from "@/components/ui/notice";

type WhyReadOnlyProps = {
  /** A name, or "yourself". */
  whom: string;
  /** What the member holds and the person who looks doesn't; null where those may change no member. */
  excess: string | null;
};

/** Why nothing on a member's page can be changed. */
export function WhyReadOnly({ whom, excess }: WhyReadOnlyProps) {
  return (
    <Notice title={`You can’t change ${whom}`}>
      {excess ? (
        <>
          They hold <code className="font-mono text-xs text-foreground">{excess}</code>, which you don’t: only
          somebody who may do as much as they may can change them.
        </>
      ) : (
        <>
          It takes <code className="font-mono text-xs text-foreground">api.users.write</code>. Ask someone
          with the Owner or Admin role to add it to one of your roles.
        </>
      )}
    </Notice>
  );
}
