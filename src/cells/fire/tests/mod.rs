mod files;
mod fronts;
mod landscapes;
mod naive;
mod outcomes;
mod rates;
mod spreading;
