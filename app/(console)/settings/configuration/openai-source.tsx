"use client";

import { useId, useState } from "react";
import type { ShownPlan } from "@/components/configuration/shown-plan";
import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { Field, fieldAttributes } from "@/components/ui/fields/field";
import { SecretInput } from "@/components/ui/fields/secret-input";
import { Notice } from "@/components/ui/notice";
import { ScriptForm } from "@/components/ui/script-form";
import { planOpenaiImport } from "./actions";

export const OPENAI_URL = "https://api.openai.com/v1";

type OpenaiSourceProps = {
  address: string;
  setAddress: (address: string) => void;
  onPlanned: (shown: ShownPlan) => void;
};

/** Plans what an OpenAI organization has. The key is forgotten once that is read. */
export function OpenaiSource({ address, setAddress, onPlanned }: OpenaiSourceProps) {
  const [key, setKey] = useState("");
  const [keyId, addressId] = [useId(), useId()];
  const reading = useAction(planOpenaiImport, {
    onSuccess: (plan, { base_url: read = OPENAI_URL }) => {
      setKey("");
      onPlanned({ plan, name: new URL(read).host, text: null, request: null });
    },
  });
  const problem = reading.error?.problem;
  const { admin_key: keyError, base_url: addressError } = problem?.fields ?? {};
  return (
    <ScriptForm
      className="grid max-w-[560px] gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        reading.mutate({ admin_key: key.trim(), base_url: address.trim() });
      }}
    >
      {problem && !keyError && !addressError && (
        <Notice tone="bad" role="alert" title="Nothing was planned">
          {problem.message}
        </Notice>
      )}
      <Field
        id={keyId}
        label="Admin key"
        apiName="admin_key"
        error={keyError}
        help="Created by an owner of that organization under Admin keys. It is used once, to read, and never stored."
      >
        <SecretInput
          {...fieldAttributes(keyId, keyError)}
          what="admin key"
          autoComplete="off"
          placeholder="sk-admin-…"
          required
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
      </Field>
      <Field
        id={addressId}
        label="Address"
        apiName="base_url"
        error={addressError}
        help="OpenAI’s, or another server with the same Admin API."
      >
        <input
          {...fieldAttributes(addressId, addressError)}
          className="field h-9 font-mono text-sm pointer-coarse:h-11"
          type="url"
          autoComplete="off"
          spellCheck={false}
          value={address}
          onChange={(event) => setAddress(event.target.value)}
        />
      </Field>
      <ReadBar isReading={reading.isPending} isFilled={key.trim() !== "" && address.trim() !== ""} />
    </ScriptForm>
  );
}

function ReadBar({ isReading, isFilled }: { isReading: boolean; isFilled: boolean }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button type="submit" variant="primary" pending={isReading} disabled={!isFilled}>
        Read the organization
      </Button>
      <p role="status" className="text-sm text-muted">
        {isReading
          ? "Its projects, limits, roles, groups and members are read. With many projects this takes some minutes."
          : "You see what would be created here before anything is."}
      </p>
    </div>
  );
}
