"use client";

import { Search } from "lucide-react";
import type { ComponentProps } from "react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { PageHead } from "@/components/ui/page-head";
import { ProjectName } from "@/components/ui/text/project-name";
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

const FindKeyDialog = loadOnClient(() => import("./find-key-dialog").then((file) => file.FindKeyDialog));

/** Finds a leaked key by its text. */
function FindKey() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <Search aria-hidden />
        Find a key
      </Button>
      {isOpen && <FindKeyDialog close={() => setIsOpen(false)} />}
    </>
  );
}
