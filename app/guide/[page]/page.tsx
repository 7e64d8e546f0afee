import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { isGuidePage, listHeadings, readGuidePage } from "@/lib/console/guide";
import { GuideFrame } from "../guide-frame";
import { GuideMarkdown } from "../guide-markdown";

type Params = { params: Promise<{ page: string }> };

export async function generateMetadata({ params }: Params): Promise<Metadata> {
  const { page } = await params;
  if (!isGuidePage(page)) return {};
  return { title: `${listHeadings(await readGuidePage(page))[0]?.text} · Guide` };
}

export default async function GuidePageScreen({ params }: Params) {
  const { page } = await params;
  if (!isGuidePage(page)) notFound();
  return (
    <GuideFrame current={page}>
      <GuideMarkdown text={await readGuidePage(page)} />
    </GuideFrame>
  );
}
