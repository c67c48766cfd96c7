// A bot in JSON lines that plays any legal action, by the seed that it is told. It needs no packages and keeps nothing in mind.
//
//   exec:node bot.js

'use strict';

const readline = require('node:readline');

// One step of splitmix64: the same seed, the same action.
function pick(actions, seed) {
  const mask = (1n << 64n) - 1n;
  let z = (BigInt(seed) + 0x9e3779b97f4a7c15n) & mask;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
  return actions[Number((z ^ (z >> 31n)) % BigInt(actions.length))];
}

const ANSWERS = {
  hello: () => ({ type: 'hello', protocol: 1, name: 'node-random', version: '1' }),
  choose: ({ question, actions, seed }) => ({ type: 'action', question, action: pick(actions, seed).id }),
};

// The loop, and so the program, ends when its input does.
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  console.log(JSON.stringify(ANSWERS[message.type](message)));
});
