"use client";

import { useRouter } from "next/navigation";
import {
  type ReactNode,
  type SubmitEvent,
  startTransition,
  useActionState,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { useForm } from "react-hook-form";
import { RefusalNotice } from "@/app/(auth)/refusal-notice";
import { Button, composeButtonStyle } from "@/components/ui/button";
import { Field, fieldAttributes } from "@/components/ui/fields/field";
import { SecretInput } from "@/components/ui/fields/secret-input";
import { lateSchema } from "@/components/ui/form/late-schema";
import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { Spinner } from "@/components/ui/spinner";
import type { Problem } from "@/lib/console/gateway/problem";
import { paths, safeNext } from "@/lib/console/paths";
import type { KeySignIn, SignInStep } from "@/lib/console/sign-in/sign-in-form";
import type { PasswordSignIn } from "@/lib/contract/operations/sign-in/sign-in";
import { signInByLink, submitKey, submitPassword, submitProvider } from "./actions";

const beginning: SignInStep = { kind: "password", email: "", refusal: null };

type MemberFormsProps = {
  next: string;
  /** Single sign-on, if offered. */
  above: ReactNode;
  /** A link to another way to sign in. */
  instead: ReactNode;
};

/** Asks for address and password, then for the code if the member has a second factor. */
export function MemberForms({ next, above, instead }: MemberFormsProps) {
  const [step, submit, isPending] = useActionState(submitPassword, beginning);
  if (step.kind === "code") return <CodeForm {...{ step, submit, isPending, next }} />;
  return (
    <>
      {above}
      <PasswordForm {...{ step, submit, isPending, next }} />
      <p className="-mt-2 flex flex-wrap justify-between gap-x-4 gap-y-2">
        <TextLink href={paths.forgotPassword()}>Forgot your password?</TextLink>
        {instead}
      </p>
    </>
  );
}

const { resolver: passwordResolver, preload: preloadPasswordSchema } = lateSchema<PasswordSignIn>(
  () => import("./sign-in-schemas").then((file) => file.passwordSignIn),
  { isSentUnchecked: true },
);

type PasswordFormProps = {
  step: Extract<SignInStep, { kind: "password" }>;
  submit: (form: FormData) => void;
  isPending: boolean;
  next: string;
};

/** Works as a plain form before and without its script. */
function PasswordForm({ step: { email, refusal }, submit, isPending, next }: PasswordFormProps) {
  // No default values, so that text typed or filled in by the browser before the script loaded is kept.
  const form = useForm<PasswordSignIn>({ resolver: passwordResolver });
  const { errors } = form.formState;
  const findError = (name: keyof PasswordSignIn) => errors[name]?.message ?? refusal?.fields[name];

  useEffect(preloadPasswordSchema, []);

  useEffect(() => {
    if (!refusal) return;
    form.setValue("password", "");
    form.setFocus(refusal.fields.email ? "email" : "password");
  }, [refusal, form]);

  const send = form.handleSubmit((values) => {
    const data = new FormData();
    for (const [name, value] of Object.entries({ ...values, next })) data.set(name, value);
    startTransition(() => submit(data));
  });
  const isBlamed = refusal?.fields.email || refusal?.fields.password;
  return (
    <form action={submit} onSubmit={send} noValidate className="grid gap-4">
      {refusal && !isBlamed && (
        <RefusalNotice refusal={refusal} title={refusal.fields.challenge ? "Start over" : "Not signed in"} />
      )}
      <input type="hidden" name="next" value={next} />
      <Field id="email" label="Email address" error={findError("email")}>
        <input
          {...form.register("email")}
          {...fieldAttributes("email", findError("email"))}
          type="email"
          defaultValue={email}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          className="field h-9 pointer-coarse:h-11"
        />
      </Field>
      <Field id="password" label="Password" error={findError("password")}>
        <SecretInput
          {...form.register("password")}
          {...fieldAttributes("password", findError("password"))}
          what="password"
          autoComplete="current-password"
        />
      </Field>
      <Button type="submit" variant="primary" pending={isPending} className="h-9 w-full">
        Sign in
      </Button>
    </form>
  );
}

type CodeFormProps = {
  step: Extract<SignInStep, { kind: "code" }>;
  submit: (form: FormData) => void;
  isPending: boolean;
  next: string;
};

/** The second step: the app's six digits, submitted automatically, or a backup code. */
function CodeForm({ step, submit, isPending, next }: CodeFormProps) {
  const { email, challenge } = step;
  const [isBackup, setIsBackup] = useState(false);
  const [seen, setSeen] = useState<Problem | null>(null);
  // An error about one kind of code doesn't apply to the other.
  const refusal = step.refusal === seen ? null : step.refusal;
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    if (!isPending) startTransition(() => submit(data));
  };
  return (
    <form action={submit} onSubmit={send} noValidate className="grid gap-4">
      {refusal && !refusal.fields.code && <RefusalNotice refusal={refusal} title="Not signed in" />}
      <p className="break-words text-muted">
        Signing in as <span className="text-foreground">{email}</span>.{" "}
        {/* Not a client-side link: reloading the page discards this step. */}
        <a
          href={paths.signIn(next === safeNext(null) ? {} : { next })}
          className="rounded-sm text-accent-text underline underline-offset-2"
        >
          Start over
        </a>
      </p>
      {Object.entries({ email, challenge, next }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <CodeField key={String(isBackup)} isBackup={isBackup} refusal={refusal} />
      <Button type="submit" variant="primary" pending={isPending} className="h-9 w-full">
        Sign in
      </Button>
      <p className="noscript:hidden">
        <button
          type="button"
          onClick={() => {
            setIsBackup(!isBackup);
            setSeen(step.refusal);
          }}
          className="rounded-sm text-accent-text underline-offset-2 hover:underline"
        >
          {isBackup ? "Use the app’s code instead" : "Use a backup code instead"}
        </button>
      </p>
    </form>
  );
}

type CodeFieldProps = { isBackup: boolean; refusal: Problem | null };

/** A code field with initial focus. Submits its form as soon as it has the app's six digits. */
function CodeField({ isBackup, refusal }: CodeFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const error = refusal?.fields.code;
  useEffect(() => {
    input.current?.focus();
    // Keep the wrong code visible but selected, so that the next digit replaces it.
    if (refusal) input.current?.select();
  }, [refusal]);

  return (
    <Field
      id="code"
      label={isBackup ? "Backup code" : "Code"}
      error={error}
      help={isBackup ? "One of the codes you saved when you turned this on. Each works once." : <AppHelp />}
    >
      <input
        ref={input}
        {...fieldAttributes("code", error)}
        name="code"
        inputMode={isBackup ? "text" : "numeric"}
        autoComplete={isBackup ? "off" : "one-time-code"}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={60}
        onChange={({ target }) => {
          const isWhole = /^\d{6}$/.test(target.value.replaceAll(/\s/g, ""));
          if (isWhole && !isBackup) target.form?.requestSubmit();
        }}
        className="field h-9 font-mono pointer-coarse:h-11"
      />
    </Field>
  );
}

function AppHelp() {
  return (
    <>
      The six digits that your authenticator app shows now.
      <span className="hidden noscript:inline"> A backup code works here too.</span>
    </>
  );
}

const { resolver: keyResolver, preload: preloadKeySchema } = lateSchema<KeySignIn>(
  () => import("./sign-in-schemas").then((file) => file.keySignIn),
  { isSentUnchecked: true },
);

/** Signs in with a pasted key. Works as a plain form before and without its script. */
export function KeyForm({ next }: { next: string }) {
  const [reply, submit, isPending] = useActionState(submitKey, null);
  const id = useId();
  // No default value, so that text typed before the script loaded is kept.
  const form = useForm<KeySignIn>({ resolver: keyResolver });

  useEffect(preloadKeySchema, []);

  const refusal = reply && !reply.ok ? reply : null;
  const error = form.formState.errors.key?.message ?? refusal?.fields.key;
  const send = form.handleSubmit(({ key }) => {
    const data = new FormData();
    data.set("key", key);
    data.set("next", next);
    startTransition(() => submit(data));
  });

  return (
    <form action={submit} onSubmit={send} noValidate className="grid gap-4">
      {refusal && !refusal.fields.key && <RefusalNotice refusal={refusal} title="Not signed in" />}
      <input type="hidden" name="next" value={next} />
      <Field
        id={id}
        label="Admin key"
        error={error}
        help="Printed once, when the gateway first started. It starts with gk_admin_. If it is lost, “npm run sign-in-link” prints a link. For another gateway, paste its access token."
      >
        <SecretInput
          {...form.register("key")}
          {...fieldAttributes(id, error)}
          what="key"
          autoComplete="off"
          data-1p-ignore
          className="font-mono text-sm"
        />
      </Field>
      <Button type="submit" variant="primary" pending={isPending} className="h-9 w-full">
        Sign in
      </Button>
    </form>
  );
}

/**
 * Single sign-on. The page's CSP doesn't let forms lead to other sites, so the reply has an address that the script
 * opens.
 */
export function ProviderForm({ name, next }: { name: string; next: string }) {
  const [reply, submit, isPending] = useActionState(submitProvider, null);
  const url = reply?.ok ? reply.data : null;
  useEffect(() => {
    if (url) window.location.assign(url);
  }, [url]);

  if (url) {
    return (
      <a href={url} className={composeButtonStyle("secondary")}>
        Go on to {name}
      </a>
    );
  }
  return (
    <form action={submit} className="grid gap-4">
      {reply && !reply.ok && <RefusalNotice refusal={reply} title="Not signed in" />}
      <input type="hidden" name="next" value={next} />
      <Button type="submit" pending={isPending} className="h-9">
        Continue with {name}
      </Button>
    </form>
  );
}

/**
 * Navigates on at once. Not a server redirect, which would keep the fragment with a sign-in link's token in the
 * address.
 */
export function SignedInAlready({ next }: { next: string }) {
  const router = useRouter();
  useEffect(() => router.replace(next), [router, next]);
  return (
    <p>
      You are signed in. <TextLink href={next}>Continue to the console</TextLink>
    </p>
  );
}

type Attempt = { token: string; reply: Awaited<ReturnType<typeof signInByLink>> };

/** Signs in with a link's one-time token. The token is in the fragment, so that no server logs it. */
export function LinkSignIn({ next }: { next: string }) {
  const [attempt, enter, isPending] = useActionState<Attempt | null, string>(
    async (_, token) => ({ token, reply: await signInByLink({ token, next }) }),
    null,
  );

  useEffect(() => {
    const takeToken = () => {
      const token = new URLSearchParams(window.location.hash.slice(1)).get("token");
      if (!token) return;
      window.history.replaceState(
        window.history.state,
        "",
        window.location.pathname + window.location.search,
      );
      startTransition(() => enter(token));
    };
    takeToken();
    window.addEventListener("hashchange", takeToken);
    return () => window.removeEventListener("hashchange", takeToken);
  }, [enter]);

  if (isPending) {
    return (
      <output className="flex items-center gap-2">
        <Spinner /> Signing in with your link…
      </output>
    );
  }
  if (!attempt || attempt.reply.ok) return null;
  const { token, reply } = attempt;
  // A refused link is spent. If the request never arrived, the link is still valid, but no longer in the address bar.
  const isSpent = reply.code === "invalid";
  return (
    <Notice
      tone="bad"
      role="alert"
      title="The link did not sign you in"
      actions={
        !isSpent && (
          <Button size="small" onClick={() => startTransition(() => enter(token))}>
            Try the link again
          </Button>
        )
      }
    >
      {reply.message}
    </Notice>
  );
}
