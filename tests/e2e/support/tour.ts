/** A script for each page: its browser has shown the introduction to everyone, also to people who are still to sign up. */
export const SKIP_TOUR = `{
  const { getItem } = Storage.prototype;
  Storage.prototype.getItem = function (key) {
    return key.startsWith('quarterdeck-tour:') ? 'yes' : getItem.call(this, key);
  };
}`;
