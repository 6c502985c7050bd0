// The grid fire of jsoulier/wildfire_simulator (basic/src/cell.hpp) on Cadmium v2, timed and with its states written: what fire.py runs.
// Headers that it needs: those of cadmium_v2/include, of wildfire_simulator/basic/src and nlohmann/json.hpp.
//
//     fire SCENARIO.json UNTIL STATES.csv
#include <cadmium/celldevs/grid/coupled.hpp>
#include <cadmium/core/simulation/root_coordinator.hpp>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <memory>
#include <vector>
#include "cell.hpp"

using namespace cadmium::celldevs;
using namespace cadmium::celldevs::example::fire;

// A cell that shows its state.
class Shown : public GridFIRECell {
  public:
    using GridFIRECell::GridFIRECell;
    const FIREState& now() const { return state; }
};

std::vector<std::pair<coordinates, std::shared_ptr<Shown>>> cells;

std::shared_ptr<GridCell<FIREState, double>> make(const coordinates& id, const std::shared_ptr<const GridCellConfig<FIREState, double>>& config) {
    auto cell = std::make_shared<Shown>(id, config);
    cells.emplace_back(id, cell);
    return cell;
}

int main(int, char** argv) {
    // Of the processor, so that a loaded machine does little harm.
    const auto seconds = [](std::clock_t from, std::clock_t to) { return static_cast<double>(to - from) / CLOCKS_PER_SEC; };
    const auto start = std::clock();
    auto model = std::make_shared<GridCellDEVSCoupled<FIREState, double>>("fire", make, argv[1]);
    model->buildModel();
    auto root = cadmium::RootCoordinator(model);
    root.start();
    const auto ready = std::clock();
    root.simulate(std::atof(argv[2]));
    const auto done = std::clock();
    std::cout << "{\"setup\": " << seconds(start, ready) << ", \"seconds\": " << seconds(ready, done) << "}\n";
    root.stop();
    std::ofstream states(argv[3]);
    for (const auto& [id, cell] : cells) {
        const FIREState& state = cell->now();
        states << id[0] << ',' << id[1] << ',' << state.u << ',' << state.b << ',' << state.f << ',' << state.temp << '\n';
    }
}
