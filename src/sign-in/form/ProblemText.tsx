import type { Message } from '#commands/text/message.ts';
import { useTranslate } from '#src/i18n/i18n.ts';

/** A problem that screen readers announce when it appears. */
export function ProblemText({ problem }: { readonly problem: Message | undefined }) {
  const translate = useTranslate();
  if (!problem) return null;
  return (
    <p role="alert" className="text-error-text">
      {translate(problem)}
    </p>
  );
}
