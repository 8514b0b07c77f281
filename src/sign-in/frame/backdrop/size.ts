/** The pictures are drawn at this size, and cover whatever room there is. */
export const WIDTH = 1440;
export const HEIGHT = 1080;
