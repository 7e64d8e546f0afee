import { TextLink } from "@/components/ui/links/text-link";
import { paths, safeNext } from "@/lib/console/paths";
import type { SignInMethods } from "@/lib/contract/operations/sign-in/sign-in";
import { KeyForm } from "./key-form";
import { MemberForms } from "./member-forms";
import { ProviderForm } from "./provider-form";

type SignInFormsProps = {
  /** Null if the gateway doesn't report them. Only the key form is shown then. */
  methods: SignInMethods | null;
  next: string;
  /** True if the link asked for the admin key's form and other forms exist. */
  isKeyAsked: boolean;
};

/** All ways to sign in: single sign-on above, then the password or the admin key. */
export function SignInForms({ methods, next, isKeyAsked }: SignInFormsProps) {
  const provider = methods?.single_sign_on?.name;
  const hasPasswords = methods?.password ?? false;
  const carried = next === safeNext(null) ? {} : { next };
  const single = provider && (
    <>
      <ProviderForm name={provider} next={next} />
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
        or
      </p>
    </>
  );
  if (hasPasswords && !isKeyAsked) {
    const instead = (
      <TextLink href={paths.signIn({ ...carried, with: "key" })}>Use an admin key instead</TextLink>
    );
    return <MemberForms next={next} above={single} instead={instead} />;
  }
  return (
    <>
      {single}
      <KeyForm next={next} />
      {hasPasswords && (
        <TextLink href={paths.signIn(carried)} className="justify-self-start">
          Use your email address and password instead
        </TextLink>
      )}
    </>
  );
}
