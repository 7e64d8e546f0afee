"use client";

import { useRef, useState } from "react";
import { fromLocalInput, nameZone, toLocalInput } from "@/components/ui/time/describe-time";
import { Button } from "../button";
import { Dialog } from "../dialog/dialog";
import { Labeled } from "./filter-fields";
import { changeAddress } from "./use-address-filter";

type RangeDialogProps = { from: string; to: string; close: () => void };

/** Asks for the two ends of a range, in the viewer's zone, and puts them into the address. Either may be left out. */
export function RangeDialog({ from, to, close }: RangeDialogProps) {
  const [start, setStart] = useState(toLocal(from));
  const [end, setEnd] = useState(toLocal(to));
  const [isIncomplete, setIsIncomplete] = useState(false);
  const fields = useRef<HTMLDivElement>(null);
  // A clock that is set back shows an hour twice: an end that was not touched keeps its own.
  const startSeconds = start === toLocal(from) ? from : toSeconds(start);
  const endSeconds = end === toLocal(to) ? to : toSeconds(end);
  const isBackwards = startSeconds !== "" && endSeconds !== "" && Number(endSeconds) <= Number(startSeconds);
  const apply = () => {
    // A date without its time has no value yet, like an empty field.
    const inputs = [...(fields.current?.querySelectorAll("input") ?? [])];
    const isPartial = inputs.some(({ validity }) => validity.badInput);
    setIsIncomplete(isPartial);
    if (isPartial || isBackwards) return;
    changeAddress({ from: startSeconds || undefined, to: endSeconds || undefined, range: undefined });
    close();
  };
  const zone = nameZone();
  return (
    <Dialog
      open
      onClose={close}
      title="Choose a range"
      description={`Times are in ${zone}.`}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" onClick={apply}>
            Show this range
          </Button>
        </>
      }
    >
      <div
        ref={fields}
        className="grid gap-4"
        role="presentation"
        onKeyDown={(event) => event.key === "Enter" && apply()}
      >
        <Labeled label="From">{(id) => <Moment id={id} value={start} onChange={setStart} />}</Labeled>
        <Labeled label="Until">{(id) => <Moment id={id} value={end} onChange={setEnd} />}</Labeled>
        {(isIncomplete || isBackwards) && (
          <p role="alert" className="text-sm text-danger">
            {isIncomplete
              ? "Complete the date and the time, or clear the field."
              : "The end must be after the start."}
          </p>
        )}
      </div>
    </Dialog>
  );
}

type MomentProps = { id: string; value: string; onChange: (value: string) => void };

function Moment({ id, value, onChange }: MomentProps) {
  return (
    <input
      id={id}
      type="datetime-local"
      step="1"
      className="field h-9 pointer-coarse:h-11"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

const toLocal = (seconds: string) => (seconds === "" ? "" : toLocalInput(Number(seconds)));

const toSeconds = (local: string) => (local === "" ? "" : String(fromLocalInput(local)));
