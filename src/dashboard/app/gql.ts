export { gql as default } from 'urql'
