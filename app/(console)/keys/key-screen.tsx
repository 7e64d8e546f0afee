"use client";

import type { ComponentProps } from "react";
import { PageHead } from "@/components/ui/page-head";
import { ProjectName } from "@/components/ui/text/project-name";
import { FindKey } from "./find-key";
import { ProjectKeys } from "./project-keys";

type KeyScreenProps = Omit<ComponentProps<typeof ProjectKeys>, "renderHead"> & { canFind: boolean };

/** The screen of a project's keys. */
export function KeyScreen({ canFind, ...props }: KeyScreenProps) {
  return (
    <ProjectKeys
      {...props}
      renderHead={(createButton) => (
        <PageHead
          title="Keys"
          sentence={
            <>
              With a key of project <ProjectName project={props.project} /> a program calls models, under the
              project’s limits.
            </>
          }
          action={
            (canFind || createButton) && (
              <>
                {canFind && <FindKey />}
                {createButton}
              </>
            )
          }
        />
      )}
    />
  );
}
