import type { Tag } from '#proto/gen/hiber/tag_pb.ts';

/** All tags of an organization, and the state of the database that they show. */
export interface CachedTags {
  readonly state: string;
  readonly tags: readonly Tag[];
}

/** The weight of a list without tags is not 0, so that many of them don't take unlimited memory. */
const weigh = ({ tags }: CachedTags): number => tags.length + 1;

/** The tags of the organizations that used theirs most recently, up to a total number of tags. */
export class TagCache {
  readonly #maxTags: number;
  /** From the least to the most recently used organization. */
  readonly #lists = new Map<string, CachedTags>();
  #size = 0;

  constructor(maxTags: number) {
    this.#maxTags = maxTags;
  }

  get(organization: string): CachedTags | undefined {
    const list = this.#lists.get(organization);
    if (list === undefined) return undefined;
    this.#lists.delete(organization);
    this.#lists.set(organization, list);
    return list;
  }

  /** Replaces the tags of an organization, or forgets them. */
  set(organization: string, list: CachedTags | undefined): void {
    this.#forget(organization);
    // A list that is too large by itself would only displace the others.
    if (list === undefined || weigh(list) > this.#maxTags) return;
    this.#lists.set(organization, list);
    this.#size += weigh(list);
    for (const oldest of this.#lists.keys()) {
      if (this.#size <= this.#maxTags) return;
      this.#forget(oldest);
    }
  }

  #forget(organization: string): void {
    const list = this.#lists.get(organization);
    if (list === undefined) return;
    this.#lists.delete(organization);
    this.#size -= weigh(list);
  }
}
