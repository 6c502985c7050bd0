mod files;
mod landscapes;
mod naive;
mod outcomes;
mod rates;
mod spreading;
