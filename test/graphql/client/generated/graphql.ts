/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** A pet to add. */
export type NewPet = {
  /** The category the animal belongs to: a 64-bit integer. Beyond 2^53 send it as a string, for JSON numbers are not exact there and are refused. */
  categoryId: string;
  /** The animal's name: 1 to 255 characters, surrounding blanks removed. */
  name: string;
  /** Whether it can be had; may be left unset. */
  status?: PetStatus | null | undefined;
};

/** Whether a pet can be had. */
export type PetStatus =
  /** Can be bought. */
  | 'available'
  /** Is spoken for. */
  | 'pending'
  /** Has found a home. */
  | 'sold';

/** The plans. */
export type PlanName =
  /** 1,000 requests a minute, 100,000 a day; custom domains. */
  | 'business'
  /** Numbers agreed with each project; custom domains. */
  | 'enterprise'
  /** 60 requests a minute, 1,000 a day. */
  | 'free'
  /** 300 requests a minute, 10,000 a day; custom domains. */
  | 'pro';

export type FirstPetsQueryVariables = Exact<{
  status?: PetStatus | null | undefined;
  after?: string | null | undefined;
}>;


export type FirstPetsQuery = { pets: { nodes: Array<{ id: string, name: string, categoryId: string, status: PetStatus | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type AddPetMutationVariables = Exact<{
  input: NewPet;
}>;


export type AddPetMutation = { createPet: { id: string, name: string, categoryId: string, status: PetStatus | null } | null };

export type BudgetQueryVariables = Exact<{ [key: string]: never; }>;


export type BudgetQuery = { rateLimit: { plan: PlanName, minute: { limit: number, remaining: number } } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}

export const FirstPetsDocument = new TypedDocumentString(`
    query FirstPets($status: PetStatus, $after: String) {
  pets(first: 2, status: $status, after: $after) {
    nodes {
      id
      name
      categoryId
      status
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<FirstPetsQuery, FirstPetsQueryVariables>;
export const AddPetDocument = new TypedDocumentString(`
    mutation AddPet($input: NewPet!) {
  createPet(input: $input) {
    id
    name
    categoryId
    status
  }
}
    `) as unknown as TypedDocumentString<AddPetMutation, AddPetMutationVariables>;
export const BudgetDocument = new TypedDocumentString(`
    query Budget {
  rateLimit {
    plan
    minute {
      limit
      remaining
    }
  }
}
    `) as unknown as TypedDocumentString<BudgetQuery, BudgetQueryVariables>;