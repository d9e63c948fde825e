// What the program may take. Change it before the first question.
export const settings = { version: "npm", memory: 512 * 2 ** 20 };
