// A bot over gRPC that plays the last legal action, and names it by its notation. It knows the .proto files and nothing else of the project.
//
//   node grpc_bot.js [HOST:PORT]
//
// Prints "listening on HOST:PORT" once it is ready.

'use strict';

const path = require('node:path');
const grpc = require('@grpc/grpc-js');
const protoLoader = require('@grpc/proto-loader');

const PROTO = path.join(__dirname, '..', '..', 'proto');

const SERVICE = {
  DescribeBot: (call, done) => done(null, { name: 'node-last', version: '1' }),
  DecideAction: ({ request }, done) => {
    if (request.view[request.game].viewer !== request.seat) {
      done({ code: grpc.status.INVALID_ARGUMENT, details: 'the view is of another seat' });
      return;
    }
    done(null, { action_text: request.actions.at(-1).text });
  },
};

const options = { includeDirs: [PROTO], keepCase: true, longs: String, enums: String, defaults: true, oneofs: true };
const { BotService } = grpc.loadPackageDefinition(protoLoader.loadSync('kingsbridge/v1/bot.proto', options)).kingsbridge.v1;
const address = process.argv[2] ?? '127.0.0.1:0';
const server = new grpc.Server();
server.addService(BotService.service, SERVICE);
server.bindAsync(address, grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(`listening on ${address.replace(/:\d+$/, '')}:${port}`);
});
