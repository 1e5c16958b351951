import { createServer } from 'node:http'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'
import { number, setting } from '../answers.ts'

/** Leaves enum values as in the database, so that the answers are the same bytes. */
const PlainEnumValues: GraphileConfig.Plugin = {
  name: 'PlainEnumValues',
  version: '1.0.0',
  inflection: { replace: { enumValue: (_previous, _options, value) => value } },
}

const serv = postgraphile({
  extends: [PostGraphileAmberPreset],
  plugins: [PlainEnumValues],
  pgServices: [makePgService({ connectionString: setting('DATABASE_URL') })],
  grafserv: { graphiql: false, watch: false },
}).createServ(grafserv)

const server = createServer()
await serv.addTo(server)
server.listen(number(setting('PORT')), '127.0.0.1')
