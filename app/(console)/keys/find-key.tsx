"use client";

import { Search } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";

const FindKeyDialog = loadOnClient(() => import("./find-key-dialog").then((file) => file.FindKeyDialog));

/** Finds a leaked key by its text. */
export function FindKey() {
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
