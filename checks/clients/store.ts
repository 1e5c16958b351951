export const { ANIMAL_STORE_URL = '', ANIMAL_STORE_KEY = '' } = process.env
export const baseUrl = `${ANIMAL_STORE_URL}/v1`
export const authorization = `Bearer ${ANIMAL_STORE_KEY}`

type Pet<Id> = { id: Id; categoryId: Id }
type Webhook<Id> = { id: string; delivered: Id }

/** What a client of each generator does in round-trips.ts. `Id` is the client's type of an int64. */
export type Store<Id> = {
  addPet(name: string, categoryId: bigint): Promise<Pet<Id>>
  listPets(categoryId: bigint): Promise<Pet<Id>[]>
  exportPets(): Promise<string>
  setStatus(petId: Id): Promise<Id[]>
  /** Returns the status of the answer, as the other deletions do. */
  deletePet(petId: Id): Promise<number>
  placeOrder(petId: Id): Promise<Pet<Id> & { petId: Id }>
  cancelOrder(orderId: Id): Promise<string>
  findEvent(petId: Id): Promise<{ id: string; number: Id; data: Pet<Id> } | undefined>
  addWebhook(url: string): Promise<Webhook<Id> & { secret: string }>
  rewindWebhook(id: string, after: bigint): Promise<Webhook<Id>>
  removeWebhook(id: string): Promise<number>
  /** Reads the inventory twice, and returns the status of the second answer. */
  readInventoryAgain(): Promise<number>
}
