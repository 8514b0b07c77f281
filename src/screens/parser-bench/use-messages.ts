import { useEffect, useState } from 'react';

import {
  allMessages,
  DEFAULT_MESSAGES,
  loadNewestMessages,
  type StoredMessage,
} from '#commands/nouns/data/parser/bench/comparison.ts';
import { contextNow } from '#src/run/context.ts';

/** Loads the newest messages that the parser was applied to, or any messages for a new parser. */
export function useMessages(id: string | undefined): readonly StoredMessage[] {
  const [list, setList] = useState<readonly StoredMessage[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    const context = contextNow({ signal: abort.signal });
    loadNewestMessages(context, { selection: allMessages(), parsedBy: id, limit: DEFAULT_MESSAGES }).then(
      (messages) => abort.signal.aborted || setList(messages),
      // Without permission for messages, bytes can still be pasted.
      () => undefined,
    );
    return () => abort.abort();
  }, [id]);
  return list;
}
